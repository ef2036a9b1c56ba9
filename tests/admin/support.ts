import { request, type TestServer, type TestUser } from '../harness/server.ts'

/** Makes a user the first admin with the link that the first start prints. */
export const claimAdmin = async (
  server: Pick<TestServer, 'url' | 'baseUrl' | 'claimLink'>,
  user: TestUser,
): Promise<void> => {
  const token = new URL(server.claimLink ?? '').searchParams.get('token') ?? ''
  const answer = await fetch(new URL('/api/auth/admin/claim', server.url), {
    method: 'POST',
    headers: {
      cookie: `refresh_token=${user.refreshToken}`,
      origin: new URL(server.baseUrl).origin,
    },
    body: new URLSearchParams({ token }),
  })
  if (!answer.ok) throw new Error(`claiming the admin role failed: ${answer.status}`)
}

/** Calls an admin endpoint on a user, such as `POST …/disable`. */
export const administer = (
  server: Pick<TestServer, 'url'>,
  admin: Pick<TestUser, 'accessToken'>,
  method: string,
  path: string,
  body?: unknown,
) =>
  request(server, method, `/api/admin/users/${path}`, {
    token: admin.accessToken,
    ...(body !== undefined && { body }),
  })
