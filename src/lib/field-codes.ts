/** What is wrong with a field, as a stable word and its meaning. Clients rely on the words: the list only grows. */
export const FIELD_CODES = {
  required: "The field is missing or empty.",
  type: "The value has the wrong JSON type, or is a list where one value is expected.",
  too_short: "The list has too few items.",
  too_long: "The text or list is longer than its limit.",
  format: "The text does not have the required form.",
  range: "The number is outside its limits.",
  enum: "The value is not one of the listed values.",
  unknown: "The workspace has no such tag or group, or the operation has no such field.",
  taken: "Something else has this value. `conflicts` names it if it belongs to the workspace.",
  taken_down: "The operator has taken down the slug.",
  reserved: "The slug is reserved for the service.",
  reused: "The key was used with another request.",
  exclusive: "The field cannot be sent together with another one.",
  limit: "A limit of the link or workspace is reached.",
  scheme: "The URL is not http or https.",
  forbidden_host: "The URL leads to a host that is not allowed.",
  live_asset: "The link is on a live Offline Engagement asset.",
  state: "The current state does not allow the change.",
} as const;

export type FieldCode = keyof typeof FIELD_CODES;

/** More are not reported of one request. */
export const MAX_FAILURES = 100;

/** The field name for a message: `destination_url` becomes "destination url", `tag_ids.0` stays. */
export const label = (field: string): string => (field.includes(".") ? field : field.replaceAll("_", " "));
