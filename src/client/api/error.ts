interface Details {
  /** 0 if there was no response. */
  status: number;
  /** Messages by field. */
  errors?: Readonly<Record<string, readonly string[]>>;
  /** Stable codes by field, such as `taken`. */
  codes?: Readonly<Record<string, readonly string[]>>;
  /** By field, the id of the link, tag or group that already has the value. */
  conflicts?: Readonly<Record<string, string>>;
  requestId?: string | undefined;
  /** In seconds. */
  retryAfter?: number | undefined;
}

/** Thrown if the service refuses a call, or gives no usable response to the last try. */
export class WaymarkError extends Error {
  override readonly name = "WaymarkError";
  readonly status: number;
  readonly errors: Readonly<Record<string, readonly string[]>>;
  readonly codes: Readonly<Record<string, readonly string[]>>;
  readonly conflicts: Readonly<Record<string, string>>;
  readonly requestId: string | undefined;
  readonly retryAfter: number | undefined;

  constructor(message: string, details: Details, options?: ErrorOptions) {
    super(message, options);
    this.status = details.status;
    this.errors = details.errors ?? {};
    this.codes = details.codes ?? {};
    this.conflicts = details.conflicts ?? {};
    this.requestId = details.requestId;
    this.retryAfter = details.retryAfter;
  }

  /** For programs. */
  toJSON() {
    const { message, status, errors, codes, conflicts, requestId, retryAfter } = this;
    const rest = { request_id: requestId ?? null, retry_after: retryAfter ?? null };
    return { message, status, errors, codes, conflicts, ...rest };
  }
}
