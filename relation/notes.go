package relation

import (
	"errors"
)

var (
	errCartesian = errors.New("the cartesian kernel says nothing about new nodes: it is for the setting pairs")
	errMethod    = errors.New("edges are held out by lpo, loo or kfold:K, as the setting says")
)
