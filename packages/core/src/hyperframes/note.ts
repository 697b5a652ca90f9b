import type { Finding, Spot } from '../lint/index.ts'

/** Something that has to be changed by hand, or looked at. */
export type Note = Finding

/** A note about a place; its code begins with `import/`. */
export const warning = (code: string, spot: Spot, hint: string): Note => ({
  severity: 'warning',
  hint,
  ...spot,
  code: `import/${code}`,
})
