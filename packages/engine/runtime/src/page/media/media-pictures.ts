import type { AnimatedImages } from '../images/animated-images.ts'
import type { Realm } from '../realm/natives.ts'
import { replaceMethod } from '../realm/replace.ts'
import type { VideoFrames } from './video-frames.ts'

type Call = (this: unknown, ...args: unknown[]) => unknown

/** Methods that take a video or an image as a picture, by interface. */
const PICTURE_METHODS: Readonly<Record<string, readonly string[]>> = {
  CanvasRenderingContext2D: ['drawImage', 'createPattern'],
  OffscreenCanvasRenderingContext2D: ['drawImage', 'createPattern'],
  WebGLRenderingContext: ['texImage2D', 'texSubImage2D'],
  WebGL2RenderingContext: ['texImage2D', 'texSubImage2D', 'texImage3D', 'texSubImage3D'],
}

/** Lets scripts draw videos and animated images: methods that take one as a picture receive the image that it shows. */
export const installMediaPictures = (
  realm: Realm,
  parts: { readonly videoFrames: VideoFrames; readonly animatedImages: AnimatedImages },
): void => {
  const { videoFrames: frames, animatedImages } = parts
  const pictureOf = (value: unknown) => {
    if (value instanceof realm.HTMLVideoElement) return frames.draw(value) ?? value
    return value instanceof realm.HTMLImageElement ? (animatedImages.imageOf(value) ?? value) : value
  }
  const install = (owner: Record<string, Call>, key: string) => {
    const native = owner[key]
    if (native)
      replaceMethod(owner, key, function (this: unknown, ...args: unknown[]) {
        return native.apply(this, args.map(pictureOf))
      })
  }
  for (const [name, keys] of Object.entries(PICTURE_METHODS)) {
    const owner = Reflect.get(realm, name) as { prototype: Record<string, Call> } | undefined
    if (owner) for (const key of keys) install(owner.prototype, key)
  }
  install(realm as unknown as Record<string, Call>, 'createImageBitmap')
  if (realm.VideoFrame)
    realm.VideoFrame = new Proxy(realm.VideoFrame, {
      construct: (target, args: unknown[], newTarget) =>
        Reflect.construct(target, args.map(pictureOf), newTarget) as object,
    })
  const video = realm.HTMLVideoElement.prototype
  replaceMethod(video, 'requestVideoFrameCallback', function (this: HTMLVideoElement, callback) {
    return frames.request(this, callback)
  })
  replaceMethod(video, 'cancelVideoFrameCallback', (id) => frames.cancel(id))
}
