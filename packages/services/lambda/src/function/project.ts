import { join } from 'node:path'
import { loadComposition, withRootSize } from '@vid/core'
import { copyWithText } from '@vid/project'
import { isPictureSize, type Size } from '@vid/protocol'
import type { RenderSettings } from '@vid/render'
import type { ExecutionInput, LambdaRequest } from '../contract/execution-input.ts'
import { fail } from '../errors.ts'
import type { CallRun } from './call-run.ts'

const refuse = (field: string, problem: string) => fail('VID_LAMBDA_CONFIG', { field: `config.${field}`, problem })

/** The requested size of the picture; an omitted side keeps the aspect ratio. */
const askedSize = (page: Size, { width, height }: LambdaRequest): Size => {
  if (width !== undefined && height !== undefined) return { width, height }
  const size =
    width !== undefined
      ? { width, height: (width * page.height) / page.width }
      : { width: ((height ?? 0) * page.width) / page.height, height: height ?? 0 }
  if (Number.isInteger(size.width) && Number.isInteger(size.height)) return size
  const [side, other] = width !== undefined ? (['width', 'height'] as const) : (['height', 'width'] as const)
  throw refuse(
    side,
    `at ${side} ${size[side]} the ${other} would be ${size[other]}, since the composition has ${page.width} x ${page.height}; give both`,
  )
}

/** How a composition gets a size: it is laid out again for another aspect ratio, and scaled otherwise. */
const chooseSize = (page: Size, request: LambdaRequest): { readonly picture?: Size; readonly layout?: Size } => {
  const { width, height, scale } = request
  if (width === undefined && height === undefined) return {}
  if (scale !== undefined) throw refuse('scale', 'width and height say the size already')
  const picture = askedSize(page, request)
  if (!isPictureSize(picture))
    throw refuse('width', `a picture of ${picture.width} x ${picture.height} is larger than encoders can make`)
  const isOfShape = page.width * picture.height === page.height * picture.width
  if (isOfShape) return { picture }
  if (request.shapes !== undefined)
    throw refuse('width', `a picture of ${picture.width} x ${picture.height} is not of the shape ${request.shapes}`)
  return { picture, layout: picture }
}

/** The settings of a render for its project, with the output in the folder of the call. */
const settingsOf = (
  { request, variables, reuse }: ExecutionInput,
  folder: string,
  picture: Size | undefined,
  workDir: string,
): RenderSettings => {
  const { width: _w, height: _h, ...settings } = request
  return {
    ...settings,
    projectDir: folder,
    output: join(workDir, 'result'),
    ...(picture && { resolution: `${picture.width}x${picture.height}` }),
    ...(variables && { variables }),
    workers: 'auto',
    ...(!reuse && { cache: false }),
  }
}

/** Unpacks the project of a render in the requested shape, and runs work with its settings. */
export const withProject = async <T>(
  { sites, signal, workDir, place }: CallRun,
  input: ExecutionInput,
  work: (settings: RenderSettings) => Promise<T>,
): Promise<T> => {
  const folder = await sites.hold(input.siteId, place)
  const { request } = input
  if (request.width === undefined && request.height === undefined)
    return work(settingsOf(input, folder, undefined, workDir))
  const shape = request.shapes === undefined ? {} : { shape: request.shapes }
  const { composition, html } = await loadComposition(folder, request.entry ?? 'index.html', { signal, ...shape })
  const { picture, layout } = chooseSize(composition, request)
  if (!layout) return work(settingsOf(input, folder, picture, workDir))
  const text = withRootSize(html, layout)
  if (text === undefined) throw refuse('width', 'the root of the composition says no size that could be changed')
  const copy = join(workDir, 'project')
  await copyWithText(folder, copy, { file: composition.file, text })
  return work(settingsOf(input, copy, picture, workDir))
}
