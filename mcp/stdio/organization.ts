import { Type } from '@sinclair/typebox'
import { isUuid } from '../../shared/contract/common.ts'
import { listOrgs } from '../../shared/contract/index.ts'
import { Organization } from '../../shared/contract/organizations.ts'
import { expectResponse } from '../response.ts'
import { InvalidSettingsError, openClient, type ServerConnection } from './connection.ts'

/** The id of the organization to act in, which settings name by id or name. @throws InvalidSettingsError */
export const organizationId = async (connection: ServerConnection): Promise<string | undefined> => {
  const { text, source } = connection.org ?? {}
  if (text === undefined || isUuid(text)) return text
  const response = await openClient(connection).call(listOrgs)
  const all = expectResponse(Type.Array(Organization), response)
  const [found, ...others] = all.filter(({ name }) => name.toLowerCase() === text.toLowerCase())
  if (found && others.length === 0) return found.id
  throw new InvalidSettingsError(
    `${source} does not name one organization of the account. \`svc orgs list\` lists them`,
  )
}
