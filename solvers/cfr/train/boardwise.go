package train

import (
	"errors"
	"fmt"
	"io"

	"gamebots/cudalib"
	"gamebots/internal/memory"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/boardwise"
	"gamebots/solvers/policy"
	"gamebots/solvers/strategy"
)

// boardwiseAlgorithm trains board by board where no algorithm was chosen: it converges fast,
// and its entries fit into 16 bits.
const boardwiseAlgorithm = "dcfr+/16"

// openBoardwise prepares training board by board on a device, of a game that is too large
// otherwise. chosen is whether the algorithm was. Games that are not possible so have the
// error tooLarge.
func (t *Training) openBoardwise(o Options, chosen bool, tooLarge *policy.SizeError) error {
	if !o.OnDevice || !tooLarge.Size.Shape.Complete { // a second count would not end either, after seconds
		return tooLarge
	}
	index, err := t.Spec.OpenIndex(o.Memory, o.OnPrepare)
	if err != nil {
		return tooLarge
	}
	game, err := boardwise.New(index.Tree, index.Buckets.(*abstraction.Cards))
	if err != nil {
		return tooLarge
	}
	if !chosen {
		if t.Spec.Algorithm, err = parseAlgorithm(boardwiseAlgorithm); err != nil {
			panic(err) // it is in the registry
		}
	}
	a := t.Spec.Algorithm.Vector()
	if err := boardwise.Supports(a); err != nil {
		return &Error{FieldAlgorithm,
			fmt.Errorf("%s is so large that it is trained board by board: %w; want for example %s", t.Spec.Game.Name,
				err, boardwiseAlgorithm)}
	}
	t.Cards, t.InfoSets, t.Bytes = index.Buckets.Name(), int(game.InfoSets()), game.Bytes(a)
	t.boardwise, t.tooLarge = game, tooLarge
	return nil
}

func (t *Training) moveBoardwise(choice cudalib.Choice) (where string, err error) {
	d, where, err := choice.Open()
	if err != nil {
		return "", err
	}
	if d == nil {
		return "", fmt.Errorf("%w; a GPU with %s free trains it board by board", t.tooLarge, memory.Bytes(t.Bytes))
	}
	trainer, err := boardwise.NewDeviceTrainer(d, t.boardwise, t.Spec.Algorithm.Vector())
	if err != nil {
		return "", errors.Join(err, d.Close())
	}
	t.Trainer, t.evaluate, t.release = unsaved{trainer}, trainer.Evaluate, []func() error{trainer.Close, d.Close}
	return where + ", board by board", nil
}

// unsaved is a trainer whose state and strategy are too large for files.
type unsaved struct{ *boardwise.Trainer }

var errUnsaved = errors.New("a strategy that was trained board by board is too large for a file")

func (unsaved) WriteState(io.Writer) error       { return errUnsaved }
func (unsaved) ReadState(io.Reader) error        { return errUnsaved }
func (unsaved) Save(string, strategy.Meta) error { return errUnsaved }

// CanSave reports whether the training and its strategy can be written to files. What nearly
// fills the memory of a device is only evaluated.
func (t *Training) CanSave() bool {
	_, no := t.Trainer.(unsaved)
	return !no
}
