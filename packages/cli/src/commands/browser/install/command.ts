import { Command } from 'clipanion'
import type { FormatFacts } from '../../../flags/flag.ts'
import { FlagCommand } from '../../../flags/flag-command.ts'
import { installFlags } from './flags.ts'

/** `vid browser install`. */
export class BrowserInstallCommand extends FlagCommand {
  static override paths = [['browser', 'install']]
  static override usage = Command.Usage({
    description: 'Download the browser that captures, where none is embedded.',
    details:
      'Fetches the headless shell of Chrome for Testing for this machine, checks it, and keeps it in the cache folder, where renders find it. VID_BROWSER_MIRROR names a copy of Chrome for Testing to fetch it from.',
    examples: [
      ['On a Mac, on Windows or on Linux for ARM', 'vid browser install'],
      ['From a mirror', 'VID_BROWSER_MIRROR=https://mirror.example.com/chrome-for-testing vid browser install'],
    ],
  })

  constructor(facts?: FormatFacts) {
    super(installFlags, facts)
  }

  async execute() {
    const { runBrowserInstall } = await import('./run.ts')
    await runBrowserInstall(this.rawFlags(), this.context)
  }
}
