import { type Context, notSignedInError } from '../context.ts'

/** Prints the API key that svc uses, for other programs. */
export const runAuthToken = async (context: Context): Promise<void> => {
  const { io, json, credential, url } = context
  if (!credential) throw notSignedInError(context)
  if (json) io.printJson({ token: credential.key, url, credential_from: credential.source })
  else io.print(credential.key)
}
