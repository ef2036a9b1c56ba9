import { defineErrors } from '../../platform/http/error.ts'

export const orgError = defineErrors({
  org_key_not_allowed: {
    status: 403,
    detail: 'An API key of an organization cannot do this; use an API key without an organization',
  },
  org_owner_required: { status: 403, detail: 'Only an owner of the organization can do this' },
  org_manager_required: {
    status: 403,
    detail: 'Only an owner or an admin of the organization can do this',
  },
  org_member_not_found: { status: 404, detail: 'Member not found' },
  org_owner_missing: {
    status: 409,
    detail:
      'An organization needs an owner: make another member an owner first, or delete the organization',
  },
  sole_org_owner: (name: string) => ({
    status: 409,
    detail: `You are the only owner of the organization “${name}”: make another member an owner, or delete the organization, before you delete your account`,
  }),
  no_seat_to_invite: (memberCount: number, openInvites: number, seats: number) => ({
    status: 402,
    detail: `All seats of the organization are taken: ${count(memberCount, 'member')} and ${count(openInvites, 'open invite')} of ${seats}. Withdraw an invite, remove a member, or have an owner move to a tier with more seats`,
  }),
  no_seat_to_join: (seats: number) => ({
    status: 402,
    detail: `The organization has no free seat: members take all ${seats}. Ask an owner to move to a tier with more seats or to remove a member, then accept the invitation again`,
  }),
})

const count = (n: number, noun: string): string => `${n} ${noun}${n === 1 ? '' : 's'}`
