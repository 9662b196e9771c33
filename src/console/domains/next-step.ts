import type { Domain } from "../../resources/domains/service";

const STEPS: Readonly<Record<Domain["state"], string | undefined>> = {
  pending: "Set the DNS record that proves that the host is yours",
  verified: "The operator of this service leads the host here",
  active: undefined,
};

/** What is left to do until links on the host work; undefined if they do. */
export const nextStepOf = ({ state }: Domain): string | undefined => STEPS[state];
