package acpc

// MT19937 is the Mersenne twister.
type MT19937 struct{}

// NewMT19937 returns a generator that starts from a seed.
func NewMT19937(seed uint32) *MT19937 { return &MT19937{} }

// Uint32 returns the next output.
func (r *MT19937) Uint32() uint32 { return 0 }

// Shuffler deals hands.
type Shuffler struct{}

// NewShuffler returns a dealer's shuffler.
func NewShuffler(seed uint32) *Shuffler { return &Shuffler{} }

// Deal deals the next hand's hole and board cards into s.
func (r *Shuffler) Deal(s *State) {}
