import { browserError } from '../errors.ts'

/** The Chromium release to download: that of the embedded one, so that pictures differ as little as possible. */
export const MILESTONE = 153

/** A machine to download a browser for. */
export interface InstallMachine {
  readonly platform: NodeJS.Platform
  readonly arch: string
}

/** The name of this machine's kind in the index of Chrome for Testing. */
export const downloadPlatform = ({ platform, arch }: InstallMachine): string => {
  const platforms: Readonly<Record<string, string>> = {
    'linux x64': 'linux64',
    'linux arm64': 'linux-arm64',
    'darwin arm64': 'mac-arm64',
    'darwin x64': 'mac-x64',
    'win32 x64': 'win64',
    'win32 arm64': 'win64',
    'win32 ia32': 'win32',
  }
  const name = platforms[`${platform} ${arch}`]
  if (name === undefined)
    throw browserError('VID_BROWSER_NO_DOWNLOAD', { platform: `${platform} ${arch}`, milestone: MILESTONE })
  return name
}

/** The program in the folder of a downloaded browser. */
export const programName = (platform: NodeJS.Platform): string =>
  platform === 'win32' ? 'chrome-headless-shell.exe' : 'chrome-headless-shell'
