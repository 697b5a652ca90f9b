import { defineCommand } from '@vid/command'
import { producerOptions } from './options.ts'

/** `vid producer`. */
export const producerCommand = defineCommand({
  path: 'producer',
  summary: 'Run a render server: a queue of renders over HTTP, on this machine.',
  details:
    'Listens on 127.0.0.1; another address needs a token in VID_PRODUCER_TOKEN, which clients send as "Authorization: Bearer". Several tokens, separated by commas, are several clients; each client sees only its requests. GET /openapi.json describes every request; docs/producer.md has examples. Renders with the config of the current folder, never with one that a client sent. Stops on SIGTERM and SIGINT: running renders may finish, the others are refused, or kept with --state; a second signal ends all at once.',
  options: producerOptions,
  examples: [
    ['Compositions in folders below the current one', 'vid producer'],
    ['Accepted requests outlive the process', 'vid producer --state /var/lib/vid'],
    ['For other machines', 'VID_PRODUCER_TOKEN=... vid producer --host 0.0.0.0'],
  ],
  run: async (run) => (await import('./run.ts')).runProducer(run),
})
