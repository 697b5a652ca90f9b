import { Command, Option } from 'clipanion'
import { FlagCommand } from '../../../flags/flag-command.ts'
import { backupFlags } from './flags.ts'

const run = () => import('./run.ts')

/** `vid cloud backup <to>`. */
export class CloudBackupCommand extends FlagCommand {
  static override paths = [['cloud', 'backup']]
  static override usage = Command.Usage({
    description: 'Back up a server of the hosted API: its database, and the files that must not be lost.',
    details:
      'Works on the database of DATABASE_URL and on --storage, or on the state folder, also while the server runs. Writes to an empty folder or to an address of S3. A backup has secrets of the server and of its accounts.',
    examples: [
      ['To a folder', 'vid cloud backup /backups/monday'],
      [
        'Of a server on Postgres and S3',
        'DATABASE_URL=postgres://… vid cloud backup s3://backups/monday --storage s3://renders',
      ],
    ],
  })
  to = Option.String({ name: 'to' })

  constructor() {
    super(backupFlags)
  }

  async execute() {
    return (await run()).runBackup(this.to, this.rawFlags(), this.context)
  }
}

/** `vid cloud restore <from>`. */
export class CloudRestoreCommand extends FlagCommand {
  static override paths = [['cloud', 'restore']]
  static override usage = Command.Usage({
    description: 'Restore a backup of a server of the hosted API where no server has kept anything yet.',
    details:
      'Fills the empty database of DATABASE_URL and the empty --storage, or a new state folder; a backup of either kind can be restored to the other. Nothing may run there meanwhile.',
    examples: [['To a new state folder', 'vid cloud restore /backups/monday --state restored']],
  })
  from = Option.String({ name: 'from' })

  constructor() {
    super(backupFlags)
  }

  async execute() {
    await (await run()).runRestore(this.from, this.rawFlags(), this.context)
  }
}
