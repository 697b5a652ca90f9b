import { Command, Option } from 'clipanion'
import { fail } from '../../../errors.ts'
import { FlagCommand } from '../../../flags/flag-command.ts'
import { authLoginFlags } from './flags.ts'

/** `vid auth login`. */
export class AuthLoginCommand extends FlagCommand {
  static override paths = [['auth', 'login']]
  static override usage = Command.Usage({
    category: 'Cloud',
    description: 'Sign in at a hosted API.',
    details:
      'Opens the sign-in page of the API in a browser, and stores what comes back in ~/.host/credentials, for this user alone. HOST_API_URL is the address of the API, http://127.0.0.1:9848 if it is not set.',
    examples: [
      ['With a browser', 'vid auth login'],
      ['With a key, for machines without one', 'vid auth login --api-key < key.txt'],
    ],
  })
  /** Words after the command: a key among them must not be repeated in an error. */
  words = Option.Rest({ name: 'nothing' })

  constructor() {
    super(authLoginFlags)
  }

  async execute() {
    if (this.words.length > 0) throw fail('VID_KEY_ARGUMENT', {})
    const { runAuthLogin } = await import('./run.ts')
    await runAuthLogin(this.rawFlags(), this.context)
  }
}
