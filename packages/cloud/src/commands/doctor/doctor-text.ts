import type { AdminResult } from '../../admin/admin-functions.ts'

/** Checks, one a line, with what to do below those that fail. */
export const doctorText = ({ checks, left }: AdminResult<'doctor'>): readonly string[] => [
  ...checks.map(({ name, ok, required, detail, hint }) => {
    const word = ok ? 'ok  ' : required ? 'FAIL' : 'warn'
    return `${word} ${name.padEnd(9)} ${detail}${hint === '' ? '' : `\n     ${''.padEnd(9)} ${hint}`}`
  }),
  ...(left ? [`left: ${left.renders} deleted renders, ${left.objects} objects, ${left.jobs} jobs`] : []),
]
