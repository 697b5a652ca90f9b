import { defineCommand } from '@vid/command'
import { doctorOptions } from './options.ts'

/** `vid cloud doctor`. */
export const cloudDoctorCommand = defineCommand({
  path: 'cloud doctor',
  summary: 'Check the parts of a hosted API server, and print what is wrong and how to fix it.',
  details:
    'Checks the database of DATABASE_URL or --state, the storage, the workers, the queue and the webhooks, also while the server runs. Exits with 1 when a required part is broken.',
  options: doctorOptions,
  examples: [['For a program', 'vid cloud doctor --json']],
  run: async (run) => (await import('./run.ts')).runDoctor(run),
  text: async (result) => (await import('./doctor-text.ts')).doctorText(result),
  exitCode: ({ ok }) => (ok ? 0 : 1),
})
