import { me } from '../../shared/contract/sessions.ts'
import { useApi } from './query.ts'

/** The signed-in user with tier and organization. `undefined` while it loads. */
export const useMe = () => useApi(me, {}).data
