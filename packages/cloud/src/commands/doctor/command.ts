import { defineCommand } from '@vid/command'
import { doctorOptions } from './options.ts'

/** `vid cloud doctor`. */
export const cloudDoctorCommand = defineCommand({
  path: 'cloud doctor',
  summary: 'Try out the parts of a server of the hosted API, and say what is wrong and what to do.',
  details:
    'Looks at the database of DATABASE_URL or of --state, the storage, the workers, the queue and the webhooks, also while the server runs. Ends with 1 when something is wrong that it cannot work without.',
  options: doctorOptions,
  examples: [['As a program reads it', 'vid cloud doctor --json']],
  run: async (run) => (await import('./run.ts')).runDoctor(run),
  text: async (result) => (await import('./doctor-text.ts')).doctorText(result),
  exitCode: ({ ok }) => (ok ? 0 : 1),
})
