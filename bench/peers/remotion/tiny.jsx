import { AbsoluteFill, interpolate, useCurrentFrame, useVideoConfig } from 'remotion'

const ball = {
  position: 'absolute',
  left: 0,
  top: 140,
  width: 80,
  height: 80,
  borderRadius: '50%',
  background: '#ffb02e',
}

export const Tiny = () => {
  const frame = useCurrentFrame()
  const { durationInFrames } = useVideoConfig()
  const x = interpolate(frame, [0, durationInFrames], [0, 560])
  return (
    <AbsoluteFill style={{ background: '#14202b' }}>
      <div style={{ ...ball, transform: `translateX(${x}px)` }} />
    </AbsoluteFill>
  )
}
