import { basename } from 'node:path'
import type { PlacedPackage } from './layout.ts'
import type { PackageFile } from './package-files.ts'

const HEAD = `Third-party notices of this function of vid

The function consists of the packages below, each under its own licence, whose texts are in the files named
here. THIRD_PARTY_NOTICES of a package names the works in that package: @vid/ffmpeg has those of ffmpeg, which is
under the GPL, and where its source is, @vid/chromium-linux-x64 those of the browser.
`

const isNotice = (path: string): boolean => /^(?:licen[cs]e|copying|notice|third_party_notices)/i.test(basename(path))

const licenseOf = ({ license }: PlacedPackage['installed']['manifest']): string =>
  typeof license === 'string' ? license : 'see its files'

/** Lists the licences of a function's packages, and the files that contain their texts. */
export const noticesText = (placedPackages: readonly PlacedPackage[], files: readonly PackageFile[]): string => {
  const notices = files.map(({ path }) => path).filter(isNotice)
  const lines = placedPackages.map(({ place, installed: { manifest } }) => {
    const texts = notices.filter((path) => path.slice(0, path.lastIndexOf('/')) === place)
    return [`- ${manifest.name} ${manifest.version} (${licenseOf(manifest)})`, ...texts].join('\n  ')
  })
  return `${HEAD}\n${lines.join('\n')}\n`
}
