import { realpath } from 'node:fs/promises'
import { join, sep } from 'node:path'

/** The status to refuse a request with, or the real file to serve and its path in the project. */
export type AssetPath =
  | { readonly status: 400 | 403 | 404 }
  | { readonly file: string; readonly path: string }

/** Encoded separators and zero bytes: a later decoder could take them for real ones. */
const DISGUISED = /%(?:2f|5c|00)/i

const hasHidden = (segments: readonly string[]): boolean =>
  segments.some((segment) => segment.startsWith('.'))

/** Where pnpm keeps the packages that `node_modules` links to. */
const isPackageStore = (segment: string, index: number, segments: readonly string[]) =>
  segment === '.pnpm' && segments[index - 1] === 'node_modules'

const segmentsOf = (target: string): readonly string[] | undefined => {
  const [path = ''] = target.split(/[?#]/, 1)
  if (!path.startsWith('/') || DISGUISED.test(path)) return undefined
  try {
    const decoded = decodeURIComponent(path)
    if (/[\\\0]/.test(decoded)) return undefined
    const segments = decoded.slice(1).split('/')
    const broken = segments.some((segment, index) =>
      segment === '' ? index < segments.length - 1 : /^\.{1,2}$/.test(segment),
    )
    return broken ? undefined : segments
  } catch {
    return undefined
  }
}

/** Maps a request target to a file whose real path is inside `realRoot` and in no hidden folder. */
export const resolveAssetPath = async (realRoot: string, target: string): Promise<AssetPath> => {
  const segments = segmentsOf(target)
  if (segments === undefined) return { status: 400 }
  if (hasHidden(segments)) return { status: 403 }
  if (segments.at(-1) === '') return { status: 404 }
  const file = await realpath(join(realRoot, ...segments)).catch(() => undefined)
  if (file === undefined) return { status: 404 }
  const base = realRoot.endsWith(sep) ? realRoot : realRoot + sep
  if (file === realRoot) return { status: 404 }
  if (!file.startsWith(base)) return { status: 403 }
  const real = file.slice(base.length).split(sep)
  if (hasHidden(real.filter((segment, index) => !isPackageStore(segment, index, real))))
    return { status: 403 }
  return { file, path: segments.join('/') }
}
