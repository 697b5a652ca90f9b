import { defineCommand, type OptionTable } from '@vid/command'
import { adminOptions } from '../admin/options.ts'
import { serverPlaceOptions } from '../serve/options.ts'

const doctorOptions = {
  sweep: { kind: 'switch', about: 'remove unneeded files at once, and count the remaining ones' },
  storage: serverPlaceOptions.storage,
  ...adminOptions,
} as const satisfies OptionTable

/** `vid cloud doctor`. */
export const cloudDoctorCommand = defineCommand({
  path: 'cloud doctor',
  summary: 'Check the parts of a hosted API server, and print what is wrong and how to fix it.',
  details:
    'Checks the database of DATABASE_URL or --state, the storage, the workers, the queue and the webhooks, also while the server runs. Exits with 1 when a required part is broken.',
  options: doctorOptions,
  examples: [['For a program', 'vid cloud doctor --json']],
  async run(run) {
    const { withAdmin } = await import('../admin/run-admin.ts')
    const { sweep } = run.options
    return withAdmin(run, (admin) => admin.call('doctor', sweep === undefined ? {} : { sweeps: sweep }))
  },
  text: async (result) => (await import('./doctor-text.ts')).doctorText(result),
  exitCode: ({ ok }) => (ok ? 0 : 1),
})
