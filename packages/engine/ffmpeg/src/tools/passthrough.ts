import type { FfmpegTools } from './find.ts'

/** Options that keep ffmpeg from duplicating or dropping frames; ffmpeg 6 renamed them. */
export const passthrough = ({ avutil }: Pick<FfmpegTools, 'avutil'>): string[] =>
  avutil >= 58 ? ['-fps_mode', 'passthrough'] : ['-vsync', '0']
