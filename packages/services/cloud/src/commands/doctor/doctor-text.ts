import type { AdminResult } from '../../admin/admin-functions.ts'

/** Formats checks, one a line, each failure followed by its hint. */
export const doctorText = ({ checks, left: leftovers }: AdminResult<'doctor'>): readonly string[] => [
  ...checks.map(({ name, ok, required, detail, hint }) => {
    const word = ok ? 'ok  ' : required ? 'FAIL' : 'warn'
    return `${word} ${name.padEnd(9)} ${detail}${hint === '' ? '' : `\n     ${''.padEnd(9)} ${hint}`}`
  }),
  ...(leftovers
    ? [`left: ${leftovers.renders} deleted renders, ${leftovers.objects} objects, ${leftovers.jobs} jobs`]
    : []),
]
