export default { render: { segmentFrames: 30 } }
