import type { ComponentType } from 'react'
import type { ActivityEvent, ActivityKind } from '../shared/contract/activity.ts'
import type { Organization } from '../shared/contract/organizations.ts'
import type { OptionalFeatureName } from '../shared/features.ts'
import type { Followed } from './session/live-state.ts'
import type { admin } from './texts/admin.ts'
import type { IconName } from './ui/icon.tsx'

/** A place of the console, as the navigation and the palette show it. */
export interface Screen {
  to: string
  label: string
  icon: IconName
}

export interface Area extends Screen {
  /** The letter that opens it after `g`. */
  key: string
  /** Whether a group of areas begins with it. */
  isFirst?: boolean
}

/** A notification of the desktop. */
export interface Notice {
  title: (event: ActivityEvent) => string
  to: string
}

/** Matters that wait for the user, as a number beside an area. */
export interface Waiting {
  /** The area. */
  to: string
  useNumber(): number
  /** The number in words, for assistive technology. */
  text(number: number): string
  request(): void
}

/** A find of the palette. */
export interface Find extends Screen {
  id: string
  /** The texts that the query is compared with. */
  names: string
}

export interface ShareDialogProps {
  sessionId: string
  /** The last message to share. Default: all messages. */
  messageId?: string
  onClose: () => void
}

/** The console of an optional feature of the server; `features.ts` lists all. Its routes are in `router.tsx`. */
export interface ConsoleFeature {
  name: OptionalFeatureName
  areas?: readonly Area[]
  /** Screens that the palette finds. */
  screens?: readonly Screen[]
  /** Names of its screens in the area of people, by the last part of their address. */
  peopleScreens?: Readonly<Record<string, string>>
  /** Names of its screens in the area of usage, by the last part of their address. */
  usageScreens?: Readonly<Record<string, string>>
  /** The screen that raises the limits of usage. */
  upgrade?: string
  /** Above the usage of this month. */
  UsageNotice?: ComponentType
  /** Its screens in the area of administration. */
  adminScreens?: readonly (keyof typeof admin.areas)[]
  /** The responses that events make old. */
  followed?: readonly Followed[]
  notices?: Partial<Record<ActivityKind, Notice>>
  waiting?: Waiting
  /** The matters that wait for the user, as items of a list on Home. */
  attention?: { Items: ComponentType; request(): void }
  /** A section of an organization, for all of its members. */
  MemberSection?: ComponentType<{ org: Organization }>
  /** A section of an organization, for those who manage it. */
  OrganizationSection?: ComponentType<{ org: Organization }>
  finds?: { title: string; useFinds(enabled: boolean): readonly Find[] }
  /** Shares a chat by a link. `to` lists the links. */
  sharing?: { Dialog: ComponentType<ShareDialogProps>; to: string }
}
