import type { PageConfig } from '@vid/runtime'

/** The size of a page's picture in pixels; a render's scale makes it whole, but for the last digits of a fraction. */
export const pictureSize = ({ width, height, scale = 1 }: Pick<PageConfig, 'width' | 'height' | 'scale'>) => ({
  width: Math.round(width * scale),
  height: Math.round(height * scale),
})
