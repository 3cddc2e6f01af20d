/** Our failures in the words of OpenAI's API: what its SDK shows as `type`, `code` and `message`. */
import type { Failure } from "../base/failure.ts";
import { nameIn } from "./fields.ts";

export function openaiErrorBody({ message, reason, status, providerType, providerCode }: Failure): object {
  const type = nameIn(providerType) || ((status ?? 500) < 500 ? "invalid_request_error" : "server_error");
  return { error: { message, type, param: null, code: nameIn(providerCode) || reason } };
}
