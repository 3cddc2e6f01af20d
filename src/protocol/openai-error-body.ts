/** Our failures in the words of OpenAI's API: what its SDK shows as `status`, `type`, `code` and `message`. */
import type { Failure } from "../base/failure.ts";

const isName = (name: string | null): boolean => name !== null && /^[\w.-]{1,64}$/.test(name);

export function openaiErrorBody(failure: Failure): object {
  const { message, reason, providerType, providerCode } = failure;
  const type = isName(providerType) ? providerType : "server_error";
  return { error: { message, type, param: null, code: isName(providerCode) ? providerCode : reason } };
}
