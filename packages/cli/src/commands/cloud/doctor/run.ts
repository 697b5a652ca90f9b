import type { RawFlags } from '../../../flags/flag-check.ts'
import type { CliContext } from '../../../flags/flag-command.ts'
import { runAdmin } from '../admin/run-admin.ts'
import { doctorFlags } from './flags.ts'

/** `vid cloud doctor`: resolves to the exit code. */
export const runDoctor = async (rawFlags: RawFlags, context: CliContext): Promise<number> => {
  let isOk = true
  await runAdmin(doctorFlags, rawFlags, context, async ({ admin, flags: { sweep }, report }) => {
    const found = await admin.call('doctor', sweep === undefined ? {} : { sweeps: sweep })
    isOk = found.ok
    report.event({ type: 'cloud-doctor', ...found })
    for (const { name, ok, required, detail, hint } of found.checks) {
      const word = ok ? 'ok  ' : required ? 'FAIL' : 'warn'
      report.result(`${word} ${name.padEnd(9)} ${detail}${hint === '' ? '' : `\n     ${''.padEnd(9)} ${hint}`}`)
    }
    if (found.left)
      report.result(
        `left: ${found.left.renders} deleted renders, ${found.left.objects} objects, ${found.left.jobs} jobs`,
      )
  })
  return isOk ? 0 : 1
}
