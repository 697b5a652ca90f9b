import { type Static, schemaProblems, Type } from '@vid/protocol'
import { browserError } from '../errors.ts'
import { downloadPlatform, type InstallMachine, MILESTONE } from '../launch/platform.ts'

const INDEX_HOME = 'https://googlechromelabs.github.io/chrome-for-testing'
const INDEX_FILE = 'latest-versions-per-milestone-with-downloads.json'

const DownloadSchema = Type.Object({
  platform: Type.String(),
  url: Type.String(),
  /** Of the zip; a mirror may give it. */
  sha256: Type.Optional(Type.String({ pattern: '^[0-9a-f]{64}$' })),
})
const MilestoneSchema = Type.Object({
  version: Type.String({ pattern: '^\\d{1,5}(\\.\\d{1,6}){3}$' }),
  downloads: Type.Object({ 'chrome-headless-shell': Type.Optional(Type.Array(DownloadSchema)) }),
})
const IndexSchema = Type.Object({ milestones: Type.Record(Type.String(), Type.Unknown()) })

/** A browser that can be downloaded. */
export interface BrowserDownload {
  readonly version: string
  /** The platform's name in the index. */
  readonly platform: string
  /** Address of the zip. */
  readonly url: string
  readonly sha256?: string
}

/** The mirror of `VID_BROWSER_MIRROR`, without a slash at its end; undefined where none is set. */
export const mirrorOf = (env: NodeJS.ProcessEnv): string | undefined => {
  const value = env.VID_BROWSER_MIRROR
  if (!value) return undefined
  const url = URL.canParse(value) ? new URL(value) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '')
    throw browserError('VID_BROWSER_MIRROR_INVALID', { value })
  return value.replace(/(?<!\/)\/+$/, '')
}

/** The address of the index. */
export const indexAddress = (mirror: string | undefined): string => `${mirror ?? INDEX_HOME}/${INDEX_FILE}`

const milestoneOf = (text: string): Static<typeof MilestoneSchema> | undefined => {
  const index: unknown = JSON.parse(text)
  if (schemaProblems(IndexSchema, index).length > 0) throw new Error('it is not the index of browsers')
  const milestone = (index as Static<typeof IndexSchema>).milestones[String(MILESTONE)]
  if (milestone === undefined) return undefined
  const [problem] = schemaProblems(MilestoneSchema, milestone)
  if (problem !== undefined) throw new Error(`its milestone ${MILESTONE} is damaged: ${problem}`)
  return milestone as Static<typeof MilestoneSchema>
}

/** The download for a machine; a mirror has the zip under the same path as Google. */
export const chooseDownload = (text: string, machine: InstallMachine, mirror: string | undefined): BrowserDownload => {
  const platform = downloadPlatform(machine)
  const milestone = milestoneOf(text)
  const offer = milestone?.downloads['chrome-headless-shell']?.find((download) => download.platform === platform)
  if (milestone === undefined || offer === undefined)
    throw browserError('VID_BROWSER_NO_DOWNLOAD', {
      platform: `${machine.platform} ${machine.arch}`,
      milestone: MILESTONE,
    })
  const { version } = milestone
  const path = `${version}/${platform}/chrome-headless-shell-${platform}.zip`
  return {
    version,
    platform,
    url: mirror === undefined ? offer.url : `${mirror}/${path}`,
    ...(offer.sha256 !== undefined && { sha256: offer.sha256 }),
  }
}
