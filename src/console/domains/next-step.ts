import type { Domain } from "../../resources/domains/service";

const STEPS: Readonly<Record<Domain["state"], string | undefined>> = {
  pending: "Set the DNS record that proves that the host is yours",
  verified: "The operator of this service leads the host here",
  active: undefined,
};

/** What is left to do until links on the host work; undefined if they do. */
export const nextStepOf = ({ state, failing_since: since }: Domain): string | undefined =>
  since === null ? STEPS[state] : "The host no longer leads here, so its DNS has to lead here again";
