export const HEALTH_STATES = ["unknown", "ok", "failing", "broken", "unclear"] as const;
export type HealthState = (typeof HEALTH_STATES)[number];
