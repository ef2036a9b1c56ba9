/** The features that an operator can turn off (`SVC_FEATURES`). */
export const OPTIONAL_FEATURES = [
  'automation',
  'billing',
  'openid',
  'people',
  'policies',
  'proxy',
  'scim',
  'user-import',
  'webhooks',
] as const
export type OptionalFeatureName = (typeof OPTIONAL_FEATURES)[number]

/** Whether each is on. */
export const featureStates = (off: ReadonlySet<OptionalFeatureName>) => {
  const states = OPTIONAL_FEATURES.map((name) => [name, !off.has(name)])
  return Object.fromEntries(states) as Record<OptionalFeatureName, boolean>
}
