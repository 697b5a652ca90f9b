import { Command } from 'clipanion'
import type { FormatFacts } from '../../../flags/flag.ts'
import { FlagCommand } from '../../../flags/flag-command.ts'
import { serveFlags } from './flags.ts'

/** `vid cloud serve`. */
export class CloudServeCommand extends FlagCommand {
  static override paths = [['cloud', 'serve']]
  static override usage = Command.Usage({
    description: 'Run a server of the hosted API: accounts, uploads, renders, webhooks and pages.',
    details:
      'Without DATABASE_URL everything is kept in one folder, and one process does all. With a Postgres in DATABASE_URL and a storage that all reach, any number of processes answer requests (--role api) and render (--role worker). The first start makes an account and prints its key. Renders with the config of the current folder, never with one that a client sent. docs/cloud.md says how to run it; GET /openapi.json describes every request.',
    examples: [
      ['On this machine', 'vid cloud serve'],
      ['One of several workers', 'DATABASE_URL=postgres://… vid cloud serve --role worker --storage s3://renders'],
    ],
  })

  constructor(facts?: FormatFacts) {
    super(serveFlags, facts)
  }

  async execute() {
    const { runServe } = await import('./run.ts')
    await runServe(this.rawFlags(), this.context)
  }
}
