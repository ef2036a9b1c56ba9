import { count } from './tools/numbers.ts'

export const shell = {
  unreachable: 'No connection to the server. This page continues by itself.',
  unreachableSince: (time: string) =>
    `No connection to the server. What you see is as of ${time}; it continues by itself.`,
  tryAgain: 'Try now',
  impersonation: 'Use of the account by an admin',
  impersonating: (name: string, until: string) =>
    `You see this account as ${name} does, until ${until}. The user knows it.`,
  endImpersonation: 'End',
  notifications: {
    message: (sender: string) => `Message from ${sender}`,
    confirmation: (name: string) => `“${name}” waits for your confirmation`,
    signIn: 'Someone signed in to your account',
  },
  skip: 'Skip to content',
  navigation: 'Main',
  openNavigation: 'Open navigation',
  account: 'Account',
  signOut: 'Sign out',
  unread: (number: number) => count(number, { one: 'unread message', other: 'unread messages' }),
  decisions: (number: number) => `${count(number, { one: 'matter', other: 'matters' })} to decide`,
  settings: 'Settings',
  reference: 'API reference',
  theme: 'Theme',
  themes: { system: 'Same as the system', light: 'Light', dark: 'Dark' },
  workspace: 'Workspace',
  personal: 'Personal',
  workspaceNamed: (name: string) => `Workspace: ${name}`,
  workspaceNow: (name: string) => `You now work in ${name}`,
  workspaceDefaultEnded: (name: string) =>
    `You now work in Personal. ${name} is no longer the default of your tabs and apps.`,
  workspaceLost: 'You are no longer a member of that organization. You work in Personal now.',
  organizations: 'Organizations',
  areas: {
    home: 'Home',
    activity: 'Activity',
    memories: 'Memories',
    graph: 'Graph',
    chat: 'Chat',
    connect: 'Connect',
    people: 'People',
    automation: 'Automation',
    billing: 'Usage',
    settings: 'Settings',
    admin: 'Admin',
  },
} as const
