import { type PathRefusal, resolveProjectPath } from '@vid/system'

/** The status to refuse a request with, or the real file to serve and its path in the project. */
export type AssetPath = { readonly status: 400 | 403 | 404 } | { readonly file: string; readonly path: string }

/** Encoded separators and zero bytes: a later decoder could take them for real ones. */
const DISGUISED = /%(?:2f|5c|00)/i

const segmentsOf = (target: string): readonly string[] | undefined => {
  const [path = ''] = target.split(/[?#]/, 1)
  if (!path.startsWith('/') || DISGUISED.test(path)) return undefined
  try {
    const segments = decodeURIComponent(path).slice(1).split('/')
    const isMalformed = segments.some((segment, index) =>
      segment === '' ? index < segments.length - 1 : /^\.{1,2}$/.test(segment),
    )
    return isMalformed ? undefined : segments
  } catch {
    return undefined
  }
}

const STATUS: Readonly<Record<PathRefusal, 400 | 403 | 404>> = {
  malformed: 400,
  hidden: 403,
  outside: 403,
  missing: 404,
}

/** Maps a request target to a file whose real path is inside `realRoot` and in no hidden folder. */
export const resolveAssetPath = async (realRoot: string, target: string): Promise<AssetPath> => {
  const segments = segmentsOf(target)
  if (segments === undefined) return { status: 400 }
  const path = segments.join('/')
  const resolution = await resolveProjectPath(realRoot, path)
  if ('refusal' in resolution) return { status: STATUS[resolution.refusal] }
  return path.endsWith('/') ? { status: 404 } : { file: resolution.file, path }
}
