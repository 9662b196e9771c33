/** The body of a 422 with one error. */
export const refusal = (field: string, message: string) => ({ message, errors: { [field]: [message] } });

export const SLUG_TAKEN = refusal("slug", "The slug has already been taken.");
