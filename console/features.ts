import { automation } from './areas/automation/feature.ts'
import { billing } from './areas/billing/feature.ts'
import { messages } from './areas/messages/feature.ts'
import { policies } from './areas/policies/feature.ts'
import { scim } from './areas/scim/feature.ts'
import { webhooks } from './areas/webhooks/feature.ts'
import type { ConsoleFeature } from './feature.ts'

/** The page names the features that the operator has turned off. */
const off = (document.documentElement.dataset.off ?? '').split(' ')

const all: readonly ConsoleFeature[] = [messages, automation, billing, policies, scim, webhooks]

/** The optional features that are on. */
export const features = all.filter(({ name }) => !off.includes(name))

/** How chats are shared. */
export const sharing = features.find((feature) => feature.sharing)?.sharing
