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

/** Notes that say the same of several places, as one of the first place with the number of the others. */
export const mergeNotes = (notes: readonly Note[]): Note[] => {
  const firsts = new Map<string, { readonly note: Note; others: number }>()
  for (const note of notes) {
    const key = `${note.code} ${note.message}`
    const first = firsts.get(key)
    if (first) first.others += 1
    else firsts.set(key, { note, others: 0 })
  }
  return [...firsts.values()].map(({ note, others }) =>
    others === 0
      ? note
      : { ...note, message: `${note.message} Also in ${others} more place${others === 1 ? '' : 's'}.` },
  )
}
