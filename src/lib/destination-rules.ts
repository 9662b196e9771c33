import type { FieldCode } from "./field-codes";

/** What a URL breaks: the code, the rule, and where it differs the rule for people. Both follow the name of the field. */
export type DestinationRule = readonly [code: FieldCode, rule: string, forPeople?: string];

const AS_ADDRESS = "must be an address such as https://www.example.com/page";

export const DESTINATION_RULES = {
  empty: ["required", "is required"],
  too_long: [
    "too_long",
    "must not be greater than 2048 characters",
    "must not have more than 2048 characters",
  ],
  control_character: ["format", "must not contain control characters"],
  whitespace: ["format", "must not contain unencoded white space", "must not have spaces"],
  malformed_unicode: ["format", "must not contain malformed Unicode"],
  invisible_character: ["format", "must not contain invisible or direction characters"],
  backslash: ["format", "must not contain a backslash"],
  no_scheme: ["format", "must be a valid URL", AS_ADDRESS],
  not_absolute: ["format", "must be a valid URL", AS_ADDRESS],
  unparseable: ["format", "must be a valid URL", AS_ADDRESS],
  scheme: ["scheme", "must use http or https"],
  credentials: ["format", "must not contain a user name or password"],
  ip_literal: ["forbidden_host", "must not point to an IP address"],
  internal_host: ["forbidden_host", "must not point to a host of an internal network"],
  address_in_name: ["forbidden_host", "must not use a domain that hides an IP address in its name"],
  host_shape: [
    "format",
    "must have a valid host name",
    "must have a valid host name, such as www.example.com",
  ],
  own_host: ["forbidden_host", "must not point to this service itself"],
  shortener: ["forbidden_host", "must not point to another link shortener"],
  homograph: ["forbidden_host", "must not use a host name whose letters imitate those of another script"],
} as const satisfies Record<string, DestinationRule>;

export type DestinationReason = keyof typeof DESTINATION_RULES;
export const DESTINATION_REASONS = Object.keys(DESTINATION_RULES);
