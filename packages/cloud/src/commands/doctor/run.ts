import type { CommandRun } from '@vid/command'
import { withAdmin } from '../admin/run-admin.ts'
import type { doctorOptions } from './options.ts'

/** `vid cloud doctor`: what works of a server, and what does not. */
export const runDoctor = async (run: CommandRun<typeof doctorOptions>) => {
  const { sweep } = run.options
  return withAdmin(run, (admin) => admin.call('doctor', sweep === undefined ? {} : { sweeps: sweep }))
}
