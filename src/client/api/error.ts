type Details = Pick<WaymarkError, "status"> &
  Partial<Pick<WaymarkError, "errors" | "codes" | "conflicts" | "requestId" | "retryAfter">>;

/** Thrown if the service refuses a call, or gives no usable response to the last try. */
export class WaymarkError extends Error {
  override readonly name = "WaymarkError";
  /** 0 if there was no response. */
  readonly status: number;
  /** Messages by field. */
  readonly errors: Readonly<Record<string, readonly string[]>> = {};
  /** Stable codes by field, such as `taken`. */
  readonly codes: Readonly<Record<string, readonly string[]>> = {};
  /** By field, the id of the link, tag or group that already has the value. */
  readonly conflicts: Readonly<Record<string, string>> = {};
  readonly requestId: string | undefined;
  /** In seconds. */
  readonly retryAfter: number | undefined;

  constructor(message: string, { status, ...details }: Details, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
    Object.assign(this, details);
  }

  /** For programs. */
  toJSON() {
    const { message, status, errors, codes, conflicts, requestId, retryAfter } = this;
    const rest = { request_id: requestId ?? null, retry_after: retryAfter ?? null };
    return { message, status, errors, codes, conflicts, ...rest };
  }
}
