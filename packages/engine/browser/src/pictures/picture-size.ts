import type { PageConfig } from '@vid/runtime'

/** The size of a page's picture in whole pixels; rounds away the floating-point error of a fractional scale. */
export const pictureSize = ({ width, height, scale = 1 }: Pick<PageConfig, 'width' | 'height' | 'scale'>) => ({
  width: Math.round(width * scale),
  height: Math.round(height * scale),
})
