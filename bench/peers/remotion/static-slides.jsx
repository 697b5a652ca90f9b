import { AbsoluteFill, Easing, interpolate, Sequence, useCurrentFrame, useVideoConfig } from 'remotion'

const Slide = ({ number }) => {
  const frame = useCurrentFrame()
  const { fps } = useVideoConfig()
  const shown = interpolate(frame, [0, 0.3 * fps], [0, 1], {
    easing: Easing.out(Easing.cubic),
    extrapolateRight: 'clamp',
  })
  const transform = `translateX(${120 * (1 - shown)}px)`
  return (
    <AbsoluteFill style={{ display: 'block', padding: 140, boxSizing: 'border-box', opacity: shown, transform }}>
      <h1 style={{ margin: '0 0 60px', fontSize: 130, fontWeight: 800, letterSpacing: '-0.03em' }}>
        Slide {number} of 5
      </h1>
      <ul>
        {['One thing to remember', 'And one to forget', 'Then the next slide'].map((text) => (
          <li key={text} style={{ marginBottom: 24, fontSize: 52 }}>
            {text}
          </li>
        ))}
      </ul>
    </AbsoluteFill>
  )
}

export const StaticSlides = () => {
  const { fps } = useVideoConfig()
  return (
    <AbsoluteFill style={{ background: '#f4f1ea', color: '#14202b', fontFamily: 'Inter, sans-serif' }}>
      {[1, 2, 3, 4, 5].map((number) => (
        <Sequence key={number} from={(number - 1) * 5 * fps} durationInFrames={5 * fps}>
          <Slide number={number} />
        </Sequence>
      ))}
    </AbsoluteFill>
  )
}
