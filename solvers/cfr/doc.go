package cfr
