import { besidePath, cloudFormats, posterSuffixes, type Warning } from '@vid/kernel'
import { placeOutput } from '@vid/render'
import type { PosterFormat } from '../../cloud/posters.ts'
import { type CloudRenderValues, formatOf } from './problems.ts'

/** Where the files of a render go; each call checks again that they may be written. */
export interface CloudPlaces {
  /** Resolves the path for the video of a render. */
  video(renderId: string): Promise<string>
  /** Resolves the path for the poster beside a video. */
  poster(renderId: string, format: PosterFormat): Promise<string>
  /** Checks the places before there is a render; resolves to warnings about them. */
  check(): Promise<readonly Warning[]>
}

/** Chooses the places of the files of a render. */
export const createPlaces = (
  options: CloudRenderValues,
  {
    cwd,
    projectDir,
    inputs,
  }: { readonly cwd: string; readonly projectDir: string; readonly inputs: readonly string[] },
): CloudPlaces => {
  const format = formatOf(options)
  const isFolder = format === 'hls'
  const rules = { force: options.force === true, projectDir, inputs }
  const pathOf = (renderId: string) => options.output ?? `renders/${renderId}${isFolder ? '' : `.${format}`}`
  const placeVideo = (renderId: string) =>
    placeOutput(
      {
        ...rules,
        output: pathOf(renderId),
        format,
        isFolder,
        formats: cloudFormats,
        isFormatChosen: options.format !== undefined,
      },
      cwd,
    )
  const placePoster = async (renderId: string, picture: PosterFormat) => {
    const suffix = posterSuffixes.find((entry) => entry.format === picture)?.suffix ?? ''
    const output = besidePath(pathOf(renderId), suffix)
    const place = { ...rules, output, format: picture, formats: [picture], isFormatChosen: true }
    return (await placeOutput(place, cwd)).path
  }
  return {
    video: async (renderId) => (await placeVideo(renderId)).path,
    poster: placePoster,
    async check() {
      const { warnings } = await placeVideo('render')
      if (options.poster !== undefined && !isFolder)
        for (const { format: picture } of posterSuffixes) await placePoster('render', picture)
      return warnings
    },
  }
}
