import { defineCommand } from '@vid/command'
import { serveOptions } from './options.ts'

/** `vid cloud serve`. */
export const cloudServeCommand = defineCommand({
  path: 'cloud serve',
  summary: 'Run a server of the hosted API: accounts, uploads, renders, webhooks and pages.',
  details:
    'Without DATABASE_URL, one process does everything and keeps it in one folder. With Postgres in DATABASE_URL and a shared storage, any number of processes answer requests (--role api) and render (--role worker). The first start creates an account and prints its key. Renders with the config of the current folder, never with one that a client sent. docs/cloud.md says how to run it; GET /openapi.json describes every request.',
  options: serveOptions,
  examples: [
    ['On this machine', 'vid cloud serve'],
    ['One of several workers', 'DATABASE_URL=postgres://… vid cloud serve --role worker --storage s3://renders'],
  ],
  run: async (run) => (await import('./run.ts')).runServe(run),
})
