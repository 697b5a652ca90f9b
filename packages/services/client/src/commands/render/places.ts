import { besidePath, posterSuffixes } from '@vid/kernel'
import { shapeList, type Warning } from '@vid/protocol'
import { fillShape, placeOutput, shapeTemplate } from '@vid/render'
import type { PosterFormat } from '../../cloud/posters.ts'
import { cloudFormats } from '../../contract/index.ts'
import { type CloudRenderValues, cloudFormatOf } from './problems.ts'

/** The video that a path is for. */
export interface VideoPlace {
  /** Id of the render, also of the one that has several shapes. */
  readonly renderId: string
  /** One of several shapes, which the path names. */
  readonly shape?: string | undefined
}

/** Where the files of a render go; each call checks again that they may be written. */
export interface CloudPlaces {
  /** Resolves the path for the video of a render, or for that of one of its shapes. */
  video(place: VideoPlace): Promise<string>
  /** Resolves the path for the poster beside a video. */
  poster(place: VideoPlace, format: PosterFormat): Promise<string>
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
  const format = cloudFormatOf(options)
  const isFolder = format === 'hls'
  const rules = { force: options.force === true, projectDir, inputs }
  const pathOf = ({ renderId, shape }: VideoPlace) => {
    const path = options.output ?? `renders/${renderId}${isFolder ? '' : `.${format}`}`
    return shape === undefined ? path : fillShape(shapeTemplate(path), shape)
  }
  const placeVideo = (place: VideoPlace) =>
    placeOutput(
      {
        ...rules,
        output: pathOf(place),
        format,
        isFolder,
        formats: cloudFormats,
        isFormatChosen: options.format !== undefined,
      },
      cwd,
    )
  const placePoster = async (video: VideoPlace, picture: PosterFormat) => {
    const suffix = posterSuffixes.find((entry) => entry.format === picture)?.suffix ?? ''
    const output = besidePath(pathOf(video), suffix)
    const place = { ...rules, output, format: picture, formats: [picture], isFormatChosen: true }
    return (await placeOutput(place, cwd)).path
  }
  return {
    video: async (place) => (await placeVideo(place)).path,
    poster: placePoster,
    async check() {
      const warnings: Warning[] = []
      const shapes = shapeList(options.shapes)
      for (const shape of shapes.length > 1 ? shapes : [undefined]) {
        const place = { renderId: 'render', shape }
        warnings.push(...(await placeVideo(place)).warnings)
        if (options.poster !== undefined && !isFolder)
          for (const { format: picture } of posterSuffixes) await placePoster(place, picture)
      }
      return warnings.slice(0, 1)
    },
  }
}
