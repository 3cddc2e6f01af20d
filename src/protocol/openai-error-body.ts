/** Our failures in the words of OpenAI's API: what its SDK shows as `status`, `type`, `code` and `message`. */
import type { Failure } from "../base/failure.ts";
import { nameIn } from "./fields.ts";

export const openaiErrorBody = ({ message, reason, providerType, providerCode }: Failure): object => ({
  error: { message, type: nameIn(providerType) || "server_error", param: null, code: nameIn(providerCode) || reason },
});
