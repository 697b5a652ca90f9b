import { extname } from 'node:path'
import { shapeName } from '@vid/protocol'
import { EXTENSION } from './choose-outputs.ts'

const PLACEHOLDER = '{shape}'

/** A path in which several shapes have their places: `intro-{shape}.mp4` for `intro.mp4`. */
export const shapeTemplate = (path: string): string => {
  if (path.includes(PLACEHOLDER)) return path
  const extension = extname(path)
  const suffix = EXTENSION.test(extension.slice(1).toLowerCase()) ? extension : ''
  return `${path.slice(0, path.length - suffix.length)}-${PLACEHOLDER}${suffix}`
}

/** The path of a shape, in which `{shape}` stands for it. */
export const fillShape = (path: string, shape: string): string => path.replaceAll(PLACEHOLDER, shapeName(shape))
